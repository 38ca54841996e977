import { escaped, standalonePage } from '@/lib/platform/domains/standalone-page'

type Words = { title: string; text: string; retry: string; locale: string; theme: string | undefined }
type Domain = { styleTemplate: string; imageCode: string }

/**
 * A page that stands alone: the network is away when it is shown. Its link leads to the address that is open,
 * whichever that is.
 */
export const offlinePage = ({ retry, ...page }: Words & { domain: Domain }): string =>
  standalonePage({ ...page, actions: `<a href="">${escaped(retry)}</a>` })
