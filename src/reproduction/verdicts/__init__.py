"""Evidence, intervals and the tests of claims: of any paper."""
