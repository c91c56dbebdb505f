"""What lies there: when to look, where pieces are, what they show, and how sure that is.

May import engine and calibration. Functions of pictures, a calibration and a piece set; no cameras, no files
but the models that lie beside them.
"""
