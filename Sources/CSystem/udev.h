// libudev: the devices of the machine, and what becomes of them (libudev.h).
#include "library.h"

struct udev;
struct udev_device;
struct udev_enumerate;
struct udev_list_entry;
struct udev_monitor;

// Parents and list entries belong to the object that they are of; devices and the rest to who got them.
#define UDEV(FUNCTION) \
  FUNCTION(struct udev *, udev_new, (void)) \
  FUNCTION(struct udev *, udev_unref, (struct udev *)) \
  FUNCTION(struct udev_enumerate *, udev_enumerate_new, (struct udev *)) \
  FUNCTION(struct udev_enumerate *, udev_enumerate_unref, (struct udev_enumerate *)) \
  FUNCTION(int, udev_enumerate_add_match_subsystem, (struct udev_enumerate *, const char *subsystem)) \
  FUNCTION(int, udev_enumerate_scan_devices, (struct udev_enumerate *)) \
  FUNCTION(struct udev_list_entry *, udev_enumerate_get_list_entry, (struct udev_enumerate *)) \
  FUNCTION(struct udev_list_entry *, udev_list_entry_get_next, (struct udev_list_entry *)) \
  FUNCTION(const char *, udev_list_entry_get_name, (struct udev_list_entry *)) \
  FUNCTION(struct udev_device *, udev_device_new_from_syspath, (struct udev *, const char *path)) \
  FUNCTION(struct udev_device *, udev_device_new_from_devnum, (struct udev *, char kind, unsigned long number)) \
  FUNCTION(struct udev_device *, udev_device_unref, (struct udev_device *)) \
  FUNCTION(struct udev_device *, udev_device_get_parent, (struct udev_device *)) \
  FUNCTION(const char *, udev_device_get_syspath, (struct udev_device *)) \
  FUNCTION(const char *, udev_device_get_subsystem, (struct udev_device *)) \
  FUNCTION(const char *, udev_device_get_devtype, (struct udev_device *)) \
  FUNCTION(const char *, udev_device_get_devnode, (struct udev_device *)) \
  FUNCTION(unsigned long, udev_device_get_devnum, (struct udev_device *)) \
  FUNCTION(const char *, udev_device_get_action, (struct udev_device *)) \
  FUNCTION(const char *, udev_device_get_property_value, (struct udev_device *, const char *name)) \
  FUNCTION(const char *, udev_device_get_sysattr_value, (struct udev_device *, const char *name)) \
  FUNCTION(struct udev_monitor *, udev_monitor_new_from_netlink, (struct udev *, const char *name)) \
  FUNCTION(struct udev_monitor *, udev_monitor_unref, (struct udev_monitor *)) \
  FUNCTION(int, udev_monitor_filter_add_match_subsystem_devtype, \
           (struct udev_monitor *, const char *subsystem, const char *type)) \
  FUNCTION(int, udev_monitor_enable_receiving, (struct udev_monitor *)) \
  FUNCTION(int, udev_monitor_get_fd, (struct udev_monitor *)) \
  FUNCTION(struct udev_device *, udev_monitor_receive_device, (struct udev_monitor *))

LIBRARY(udev, UDEV, "libudev.so.1")
