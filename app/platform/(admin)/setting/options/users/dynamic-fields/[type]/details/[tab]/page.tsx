import { notFound } from 'next/navigation'
import { getMessages } from 'next-intl/server'
import { PageMessages } from '@/components/shell/page-messages'
import { localName } from '@/lib/base/i18n/local-name'
import { pickMessages } from '@/lib/base/i18n/messages'
import { ownerOf } from '@/lib/fields/dynamic-fields/service'
import { partPageContext } from '@/lib/request/part-page'
import { screenTitle } from '@/lib/request/title'
import { Blocks } from '../../../_ui/blocks'
import { FieldsFrame } from '../../../_ui/frame'
import { FieldsProvider } from '../../../_ui/known'
import { CreateField } from '../../../_ui/parts'
import { readFields } from '../../../_ui/read-fields'
import { TabNav } from '../../../_ui/tab-nav'

export const generateMetadata = () => screenTitle('UsersSettingsFieldsSubtypes')

/** A tab of a type: its blocks, each with its fields in their order. */
export default async function FieldTabPage(
  page: PageProps<'/platform/setting/options/users/dynamic-fields/[type]/details/[tab]'>,
) {
  const { ctx, params, search, mayWrite, readOnly, read } = await partPageContext('UsersSettingsFieldsSubtypes', page)
  const { types, tabs } = await read(() => readFields(ctx, params.type))
  const tab = tabs.find(({ id }) => id === params.tab) ?? notFound()
  const type = ownerOf(params.type)
  const messages = await getMessages()
  const tabOptions = tabs.map(({ id, title, titleEn, subtypes }) => ({
    ...{ id, title, titleEn },
    blocks: subtypes.map(({ fields: _, ...block }) => block),
  }))
  return (
    <PageMessages messages={pickMessages(messages, ['dynamic-fields'])}>
      <FieldsProvider type={type} tab={tab.id} tabs={tabOptions}>
        <FieldsFrame
          type={type}
          types={types}
          tab={localName(tab, ctx.locale)}
          action={mayWrite ? <CreateField /> : null}
          readOnly={readOnly}
        >
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-5 @min-[64rem]:grid-cols-[13rem_minmax(0,1fr)]">
            <TabNav tabs={tabs} current={tab.id} locale={ctx.locale} />
            <Blocks
              tab={tab}
              locale={ctx.locale}
              mayWrite={mayWrite}
              made={typeof search.created === 'string' ? search.created : undefined}
            />
          </div>
        </FieldsFrame>
      </FieldsProvider>
    </PageMessages>
  )
}
