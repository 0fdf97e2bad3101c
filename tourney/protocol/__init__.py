"""Wire languages, without input or output: state machines over lines and `now_ms` that return effects."""
