// What the package uses of Pango, PangoCairo and GLib. Their own headers come with a flag in a .pc file (`-pthread`, by
// gio-2.0) of which the build tool warns. Tests/lint compares these declarations with them.
#include <cairo.h>

#ifndef __PANGO_H__
typedef struct _PangoAttribute PangoAttribute;
typedef struct _PangoAttrList PangoAttrList;
typedef struct _PangoContext PangoContext;
typedef struct _PangoFont PangoFont;
typedef struct _PangoFontDescription PangoFontDescription;
typedef struct _PangoFontMap PangoFontMap;
typedef struct _PangoLayout PangoLayout;
typedef struct _PangoLayoutIter PangoLayoutIter;

#define PANGO_SCALE 1024
typedef struct { int x, y, width, height; } PangoRectangle;
// Its beginning: the lines are Pango's.
typedef struct { PangoLayout *layout; int start_index, length; } PangoLayoutLine;

typedef enum { PANGO_DIRECTION_LTR, PANGO_DIRECTION_RTL } PangoDirection;
typedef enum { PANGO_STYLE_NORMAL, PANGO_STYLE_OBLIQUE, PANGO_STYLE_ITALIC } PangoStyle;
// From 100 to 1000, as in fonts.
typedef enum { PANGO_WEIGHT_NORMAL = 400 } PangoWeight;
typedef enum { PANGO_ALIGN_LEFT, PANGO_ALIGN_CENTER, PANGO_ALIGN_RIGHT } PangoAlignment;
typedef enum { PANGO_WRAP_WORD, PANGO_WRAP_CHAR, PANGO_WRAP_WORD_CHAR } PangoWrapMode;
typedef enum {
  PANGO_ELLIPSIZE_NONE, PANGO_ELLIPSIZE_START, PANGO_ELLIPSIZE_MIDDLE, PANGO_ELLIPSIZE_END
} PangoEllipsizeMode;
#endif

void (g_free)(void *memory);
void (g_object_unref)(void *object);

PangoAttribute *pango_attr_insert_hyphens_new(int inserts);
PangoAttrList *pango_attr_list_new(void);
void pango_attr_list_insert(PangoAttrList *list, PangoAttribute *attribute);

PangoFontMap *pango_cairo_font_map_get_default(void);
void pango_cairo_context_set_font_options(PangoContext *context, const cairo_font_options_t *options);
void pango_cairo_show_layout(cairo_t *cairo, PangoLayout *layout);
void pango_cairo_show_layout_line(cairo_t *cairo, PangoLayoutLine *line);

PangoContext *pango_font_map_create_context(PangoFontMap *map);
PangoFont *pango_context_load_font(PangoContext *context, const PangoFontDescription *description);
void pango_context_set_base_dir(PangoContext *context, PangoDirection direction);

PangoFontDescription *pango_font_description_new(void);
void pango_font_description_free(PangoFontDescription *description);
void pango_font_description_set_absolute_size(PangoFontDescription *description, double size);
void pango_font_description_set_family(PangoFontDescription *description, const char *family);
void pango_font_description_set_style(PangoFontDescription *description, PangoStyle style);
void pango_font_description_set_weight(PangoFontDescription *description, PangoWeight weight);

PangoLayout *pango_layout_new(PangoContext *context);
void pango_layout_context_changed(PangoLayout *layout);
void pango_layout_set_alignment(PangoLayout *layout, PangoAlignment alignment);
void pango_layout_set_attributes(PangoLayout *layout, PangoAttrList *attributes);
void pango_layout_set_auto_dir(PangoLayout *layout, int follows_text);
void pango_layout_set_ellipsize(PangoLayout *layout, PangoEllipsizeMode mode);
void pango_layout_set_font_description(PangoLayout *layout, const PangoFontDescription *description);
void pango_layout_set_height(PangoLayout *layout, int height);
void pango_layout_set_line_spacing(PangoLayout *layout, float factor);
void pango_layout_set_text(PangoLayout *layout, const char *text, int length);
void pango_layout_set_width(PangoLayout *layout, int width);
void pango_layout_set_wrap(PangoLayout *layout, PangoWrapMode mode);

int pango_layout_get_baseline(PangoLayout *layout);
void pango_layout_get_cursor_pos(PangoLayout *layout, int index, PangoRectangle *strong, PangoRectangle *weak);
const PangoFontDescription *pango_layout_get_font_description(PangoLayout *layout);
int pango_layout_get_line_count(PangoLayout *layout);
PangoLayoutLine *pango_layout_get_line_readonly(PangoLayout *layout, int line);
unsigned pango_layout_get_serial(PangoLayout *layout);
void pango_layout_get_size(PangoLayout *layout, int *width, int *height);
void pango_layout_index_to_line_x(PangoLayout *layout, int index, int is_trailing, int *line, int *x);
int pango_layout_is_ellipsized(PangoLayout *layout);
void pango_layout_move_cursor_visually(
    PangoLayout *layout, int is_strong, int index, int trailing, int direction, int *new_index, int *new_trailing);
int pango_layout_xy_to_index(PangoLayout *layout, int x, int y, int *index, int *trailing);

PangoLayoutIter *pango_layout_get_iter(PangoLayout *layout);
void pango_layout_iter_free(PangoLayoutIter *iterator);
int pango_layout_iter_get_baseline(PangoLayoutIter *iterator);
int pango_layout_iter_get_index(PangoLayoutIter *iterator);
void pango_layout_iter_get_line_extents(PangoLayoutIter *iterator, PangoRectangle *ink, PangoRectangle *logical);
PangoLayoutLine *pango_layout_iter_get_line_readonly(PangoLayoutIter *iterator);
int pango_layout_iter_next_cluster(PangoLayoutIter *iterator);
int pango_layout_iter_next_line(PangoLayoutIter *iterator);

void pango_layout_line_get_extents(PangoLayoutLine *line, PangoRectangle *ink, PangoRectangle *logical);
void pango_layout_line_get_x_ranges(PangoLayoutLine *line, int start, int end, int **ranges, int *count);
