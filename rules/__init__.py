"""The games, their records and the tracker. Opens no camera and no file, reads no clock."""
