"""The five data models as they were stated, and where the declared tables differ from them."""
