"""`palatine serve --reload`: a server that reads changed rules, and replays live tables with them."""
