const unavailable = { 'aria-disabled': true, 'data-disabled': true } as const

/**
 * Props of a button or an item of a menu. Without an act it does nothing. Unlike one that is `disabled` it can have the focus,
 * which opening a menu gives to its first item, and which a button keeps when there is nothing left to do.
 */
export const actOf = (act: (() => void) | undefined) => (act === undefined ? unavailable : { onClick: act })
