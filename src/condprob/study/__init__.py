"""The reproduction: from config.yaml to scores, tables and figures."""
