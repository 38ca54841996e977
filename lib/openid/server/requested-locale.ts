/** The values of a parameter that lists several. */
export const words = (list: unknown): string[] => (typeof list === 'string' ? list.split(' ').filter(Boolean) : [])

/** Returns the first of the languages of a request (`ui_locales`) that is enabled here. */
export const requestedLocale = ({ ui_locales: wished }: { ui_locales?: unknown }, enabled: readonly string[]) =>
  words(wished)
    .map((tag) => tag.toLowerCase().split('-')[0] ?? '')
    .find((code) => enabled.includes(code))
