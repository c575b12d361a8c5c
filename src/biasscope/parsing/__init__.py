"""Text in, values out: verdicts, JSON, final answers, thinking."""
