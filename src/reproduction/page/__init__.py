"""The page that shows which claims hold."""
