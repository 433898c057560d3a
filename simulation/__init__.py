"""Rendered boards, hands and whole matches with the truth beside them. Never imported by the live path."""
