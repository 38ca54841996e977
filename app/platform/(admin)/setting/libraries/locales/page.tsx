import { ListPage } from '@/components/list/list-page'
import { listPageContext } from '@/lib/context/list-page'
import { screenTitle } from '@/lib/context/title'
import type { PageSearch } from '@/lib/kernel/list-address'
import { LocaleQuery } from '@/lib/platform/locales/contract'
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
