"""One module per event: the body's bytes → what is dirty. None of them decides or asks anything."""
