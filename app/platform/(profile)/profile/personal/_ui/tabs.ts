/** The address of the screen. */
export const personalPath = '/platform/profile/personal'

/** The id of the tab of fields that the first tab shows. */
export const mainTab = 'users_main'

/** The name of a further tab of fields in the address. */
export const fieldTab = (id: string) => `fields-${id}`

/** The tab of what was done to the account. */
export const historyTab = 'history'

/** The part of an address that names the open tab, as it was asked for. */
export const tabSearch = ({ tab }: Record<string, string | string[] | undefined>) =>
  typeof tab === 'string' ? `?tab=${encodeURIComponent(tab)}` : ''
