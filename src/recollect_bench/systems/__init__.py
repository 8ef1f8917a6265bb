"""The systems that can be compared, one file each; a name on the command line is a file's name."""
