import { getTranslations } from 'next-intl/server'
import { EmptyState } from '@/components/ui/empty-state'
import { Pill } from '@/components/ui/pill'
import { localName } from '@/lib/base/i18n/local-name'
import { FieldHeads, FieldRow } from './field-row'
import { FlagLegend } from './flags'
import { FieldOrder } from './orders'
import { BlockRowMenu, CreateBlock, FieldRowMenu } from './parts'
import type { Block, TabOfFields } from './read-fields'

type Props = { tab: TabOfFields; locale: string; mayWrite: boolean; made: string | undefined }

/** The blocks of a tab, each with its fields. */
export async function Blocks({ tab, locale, mayWrite, made }: Props) {
  const t = await getTranslations('dynamic-fields')
  const ids = tab.subtypes.map(({ code, fields }) => ({ code, ids: fields.map(({ id }) => id) }))
  const fieldsOf = (block: Block) =>
    block.fields.map((field) => {
      const name = localName(field, locale)
      return {
        id: field.id,
        name,
        menu: <FieldRowMenu field={field} name={name} mayWrite={mayWrite} />,
        body: <FieldRow field={field} name={name} made={field.id === made} />,
      }
    })
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="min-w-0 break-words text-section">{localName(tab, locale)}</h2>
          {tab.active ? null : <Pill>{t('hidden')}</Pill>}
        </div>
        {tab.subtypes.length > 0 ? <FlagLegend /> : null}
      </div>
      {tab.subtypes.length === 0 ? (
        <EmptyState
          title={t('emptyTitle')}
          text={t(tab.type === 'personnel-actions' ? 'emptyActions' : 'emptyText')}
          action={mayWrite ? <CreateBlock /> : null}
        />
      ) : null}
      {tab.subtypes.map((block) => {
        const title = localName(block, locale)
        return (
          <section
            key={block.code}
            aria-labelledby={`block-${block.code}`}
            className="grid grid-cols-[minmax(0,1fr)] gap-2"
          >
            <div className="flex items-center gap-3">
              <div className="flex min-w-0 grow flex-wrap items-baseline gap-x-3 gap-y-0.5">
                <h3 id={`block-${block.code}`} className="min-w-0 break-words font-medium">
                  {title}
                </h3>
                <code className="break-all font-mono text-ink-second text-note">{block.code}</code>
                {block.active ? null : <Pill>{t('hidden')}</Pill>}
              </div>
              {mayWrite ? (
                <BlockRowMenu
                  block={{ ...block, fields: block.fields.length }}
                  name={title}
                  shipped={block.fields.some(({ systemic }) => systemic)}
                />
              ) : null}
            </div>
            {block.fields.length > 0 ? (
              <FieldOrder
                type={tab.type}
                tab={tab.id}
                blocks={ids}
                block={block.code}
                label={t('fieldsOf', { block: title })}
                heads={<FieldHeads />}
                items={fieldsOf(block)}
                mayWrite={mayWrite}
              />
            ) : (
              <p className="rounded-card border border-line border-dashed px-4 py-3 text-ink-second text-table">
                {t('noFields')}
              </p>
            )}
          </section>
        )
      })}
      {tab.subtypes.length > 0 ? (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p className="text-ink-second text-note">
            {t(`orderNote.${tab.type}`)}
            {mayWrite ? <span className="max-sm:hidden"> {t('orderHint')}</span> : null}
          </p>
          {mayWrite ? <CreateBlock /> : null}
        </div>
      ) : null}
    </div>
  )
}
