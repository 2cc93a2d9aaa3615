// Proscenium in a program of Qt 6: its loop and its windows. adapter.cpp says why they are as they are.
#ifndef ADAPTER_H
#define ADAPTER_H

#include <QWidget>
#include <proscenium.h>

// Call it before the QApplication is made.
void adapterPrepare();

// Makes a window that is not shown yet one of a scene; call it in scene_will_connect, then show the window. Returns
// what psc_window_adopt() does: where it is negative psc_error_message() says what to do.
int adapterAdopt(psc_scene scene, QWidget *window);

// The window's X11 identifier; 0 where Qt's platform is another.
uint32_t adapterXID(QWidget *window);

// Runs Qt's loop, and the application in it, until the application has ended. Returns the status to exit with.
int adapterRun();

#endif
