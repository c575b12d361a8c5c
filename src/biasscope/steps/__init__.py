"""Steps of the method: one file each, a pure ask and an async function that is handed an Asker."""
