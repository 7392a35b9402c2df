"""Pictures as pixels: PNG through resvg, WebP and GIF through Pillow, with the bundled fonts and no others."""
