import { ListPage } from '@/components/list/list-page'
import { listPageContext } from '@/lib/context/list-page'
import { screenTitle } from '@/lib/context/title'
import type { PageSearch } from '@/lib/kernel/list-address'
import { NewsQuery } from '@/lib/profile/news/contract'
import { audiencesFor } from '@/lib/profile/news/service'
import { News } from './_ui/news'
import { CreateNews } from './_ui/news-parts'

export const generateMetadata = () => screenTitle('PlatformNews')

/** The news. */
export default async function NewsPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformNews', NewsQuery, searchParams)
  const offered = audiencesFor(list.ctx)
  return (
    <ListPage
      name={list.name}
      texts="news"
      action={list.mayWrite ? <CreateNews offered={offered} /> : null}
      columns={5}
    >
      <News {...list} offered={offered} />
    </ListPage>
  )
}
