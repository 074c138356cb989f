"""Commands, the sitting they begin, the doctor and the first start."""
