"""The auction: a natural system with five-card majors, and judgement where the system has no answer."""
