"""The tournament orchestrator for computer bridge."""

__version__ = "0.1.0"
