"""The house rules as tests: sizes, surfaces, words, dependencies. Import arrows are `make lint`'s."""
