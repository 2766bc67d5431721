"""Web Push: notifications on devices, also while no page of the site is open."""
