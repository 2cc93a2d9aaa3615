/* What every peer of `pixels` does: one window of this size and colour, in the upper left corner of the screen where
   it may choose, with a square in it, and a mark of the first colour in its lower right corner, whatever its size. Each
   key that goes down gives the square the other colour, and nothing else is drawn. No text: text is drawn by the same
   Pango everywhere. It ends when it is told to. */
#pragma once
#define PIXELS_WIDTH 1920
#define PIXELS_HEIGHT 1080
#define SQUARE_X 100
#define SQUARE_Y 100
#define SQUARE_SIDE 100
#define MARK_SIDE 20
#define BACKGROUND 0x2E8B57
#define FIRST_COLOR 0xC04020
#define SECOND_COLOR 0x2040C0
