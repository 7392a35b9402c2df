"""Worker processes: they do long work for one server process, which starts them, asks them and kills them."""
