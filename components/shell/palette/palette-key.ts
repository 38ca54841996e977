type Keys = Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'code' | 'key'>

/** Returns whether a key is Ctrl+K or ⌘K: the key at the place of K in any layout, or the key with the letter K. */
export const isPaletteKey = ({ ctrlKey, metaKey, altKey, shiftKey, code, key }: Keys) =>
  ctrlKey !== metaKey && !altKey && !shiftKey && (code === 'KeyK' || key.toLowerCase() === 'k')
