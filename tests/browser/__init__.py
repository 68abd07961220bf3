"""Tests in a real browser: a package, whose tests share one JupyterLab in one browser."""
