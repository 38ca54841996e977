import { ListPage } from '@/components/list/list-page'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { BannerQuery } from '@/lib/site/banners/contract'
import { CreateBanner } from './_ui/banner-parts'
import { Banners } from './_ui/banners'

export const generateMetadata = () => screenTitle('PlatformLibrariesBanners')

/** The banners. */
export default async function BannersPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformLibrariesBanners', BannerQuery, searchParams)
  return (
    <ListPage name={list.name} texts="banners" action={list.mayWrite ? <CreateBanner /> : null} columns={5}>
      <Banners {...list} />
    </ListPage>
  )
}
