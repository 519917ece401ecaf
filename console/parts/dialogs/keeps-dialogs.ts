/** For an element of a dialog above others: Escape, while it has the focus, closes no dialog at all. */
export const keepsDialogs = { 'data-mantine-stop-propagation': true } as const

/** For the dialog: what has the focus before one of its elements has. */
export const keepsDialogsBelow = { content: keepsDialogs, close: keepsDialogs } as const
