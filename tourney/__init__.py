"""The tournament orchestrator for computer bridge."""

__version__ = "1.0.0"
