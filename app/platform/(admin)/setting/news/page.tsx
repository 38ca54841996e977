import { ListPage } from '@/components/list/list-page'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { NewsQuery } from '@/lib/news/news/contract'
import { audiencesFor } from '@/lib/news/news/service'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { News } from './_ui/news'
import { CreateNews } from './_ui/news-parts'

export const generateMetadata = () => screenTitle('PlatformNews')

/** The news. */
export default async function NewsPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformNews', NewsQuery, searchParams)
  const audiences = audiencesFor(list.ctx)
  return (
    <ListPage
      name={list.name}
      texts="news"
      action={list.mayWrite ? <CreateNews offered={audiences} /> : null}
      columns={5}
    >
      <News {...list} offered={audiences} />
    </ListPage>
  )
}
