"""The five published designs, each as a thin preset over one engine."""
