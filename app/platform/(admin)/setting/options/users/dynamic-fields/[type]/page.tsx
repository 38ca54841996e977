import { getMessages, getTranslations } from 'next-intl/server'
import { PageMessages } from '@/components/shell/page-messages'
import { pickMessages } from '@/lib/base/i18n/messages'
import { ownerOf } from '@/lib/fields/dynamic-fields/service'
import { partPageContext } from '@/lib/request/part-page'
import { screenTitle } from '@/lib/request/title'
import { FieldsFrame } from '../_ui/frame'
import { FieldsProvider } from '../_ui/known'
import { CreateTab } from '../_ui/parts'
import { readFields } from '../_ui/read-fields'
import { Tabs } from '../_ui/tabs'

export const generateMetadata = () => screenTitle('UsersSettingsFields')

/** The tabs of a type of fields, in their order. */
export default async function FieldTypePage(page: PageProps<'/platform/setting/options/users/dynamic-fields/[type]'>) {
  const { ctx, params, mayWrite, readOnly, read } = await partPageContext('UsersSettingsFields', page)
  const { types, tabs } = await read(() => readFields(ctx, params.type))
  const type = ownerOf(params.type)
  const [t, messages] = await Promise.all([getTranslations('dynamic-fields'), getMessages()])
  return (
    <PageMessages messages={pickMessages(messages, ['dynamic-fields'])}>
      <FieldsProvider type={type} tab="" tabs={[]}>
        <FieldsFrame type={type} types={types} action={mayWrite ? <CreateTab /> : null} readOnly={readOnly}>
          <section aria-labelledby="tabs-of-fields" className="grid max-w-[52rem] grid-cols-[minmax(0,1fr)] gap-2.5">
            <h2 id="tabs-of-fields" className="text-section">
              {t(`tabsOf.${type}`)}
            </h2>
            <Tabs tabs={tabs} locale={ctx.locale} mayWrite={mayWrite} />
            {mayWrite && tabs.length > 1 ? (
              <p className="text-ink-second text-note max-sm:hidden">{t('tabsOrderHint')}</p>
            ) : null}
          </section>
        </FieldsFrame>
      </FieldsProvider>
    </PageMessages>
  )
}
