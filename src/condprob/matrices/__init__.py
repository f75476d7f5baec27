"""What a fit returns: conditional probability matrices that are never built whole."""
