import { StreamedPart } from '../hydration/streamed-part'
import { ScreenPage, type ScreenProps } from '../shell/screen-page'
import { List } from './list'
import { TableSkeleton } from './table-skeleton'

/**
 * A page with a list: the header, and below it the list, which reads the rows. Until they arrive, a skeleton with this
 * number of columns is shown.
 */
export const ListPage = ({ columns, children, ...screen }: ScreenProps & { columns: number }) => (
  <ScreenPage {...screen}>
    <List>
      <StreamedPart fallback={<TableSkeleton columns={columns} />}>{children}</StreamedPart>
    </List>
  </ScreenPage>
)
