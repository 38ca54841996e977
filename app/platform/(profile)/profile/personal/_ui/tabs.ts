/** The address of the screen. */
export const personalPath = '/platform/profile/personal'

/** The id of the tab of fields that the first tab shows. */
export const mainTab = 'users_main'

/** The name of a further tab of fields in the address. */
export const fieldTab = (id: string) => `fields-${id}`

/** The name of the history tab in the address. */
export const historyTab = 'history'

/** Returns the query string that names the requested tab. */
export const tabSearch = ({ tab }: Record<string, string | string[] | undefined>) =>
  typeof tab === 'string' ? `?tab=${encodeURIComponent(tab)}` : ''
