"""biasscope: discover, measure and mitigate the biases of LLM judges."""

__version__ = "0.1.0"
