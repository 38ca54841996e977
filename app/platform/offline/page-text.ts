import { escaped, standalonePage } from '@/lib/site/domains/standalone-page'

type Words = { title: string; text: string; retry: string; locale: string; theme: string | undefined }
type Domain = { styleTemplate: string; imageCode: string }

/**
 * Returns a page that needs no other file, because it is shown without a network. Its link opens the current address
 * again.
 */
export const offlinePage = ({ retry, ...page }: Words & { domain: Domain }): string =>
  standalonePage({ ...page, actions: `<a href="">${escaped(retry)}</a>` })
