"""fsplan: plans with a proven quality bound, guided by policies."""

__version__ = "0.1.0"
