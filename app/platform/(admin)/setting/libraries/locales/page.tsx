import { ListPage } from '@/components/list/list-page'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { LocaleQuery } from '@/lib/site/locales/contract'
import { CreateLocale } from './_ui/locale-parts'
import { Locales } from './_ui/locales'

export const generateMetadata = () => screenTitle('PlatformLibrariesLocales')

/** The languages. */
export default async function LocalesPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformLibrariesLocales', LocaleQuery, searchParams)
  return (
    <ListPage name={list.name} texts="locales" action={list.mayWrite ? <CreateLocale /> : null} columns={5}>
      <Locales {...list} />
    </ListPage>
  )
}
