"""What a row may ask (conditions) and do (transforms), where that is of no one protocol; those of one stand in its folder."""
