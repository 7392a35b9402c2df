"""The terminal interface of players and spectators: screens, menus, views, keyboard."""
