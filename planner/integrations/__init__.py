"""Adapters for other software; nothing else imports them."""
