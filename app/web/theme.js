// Runs before the first paint, so that a chosen theme does not flash. Without a choice, the system's theme applies.
try {
  const theme = localStorage.getItem("theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch { /* storage is blocked: the system's theme holds */ }
