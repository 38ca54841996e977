import { useTranslations } from 'next-intl'
import { TriangleAlert } from '@/components/ui/icons'
import type { SchemaPreview } from '@/lib/sign-in/schema-administration/contract'

type Props = { preview: SchemaPreview; nameOf: (of: { name: string; nameEn: string | null }) => string }

/** The steps of a sign-in by a schema. */
export function PreviewSteps({ preview: { schema, by, role, first, second, stuck }, nameOf }: Props) {
  const t = useTranslations('authentication-schemas')
  const further = second.filter(({ flows }) => flows.length > 0)
  const steps = [
    {
      title: t(first.length > 1 ? 'preview.first' : 'preview.firstOne'),
      lines: first.map(({ id, usable }) =>
        usable === false ? `${t(`flows.${id}`)} — ${t('preview.cannot')}` : t(`flows.${id}`),
      ),
    },
    ...further.map(({ after, flows }) => ({
      title:
        further.length > 1
          ? `${t('preview.second')}, ${t('preview.afterFlow', { flow: t(`flows.${after}`) })}`
          : t('preview.second'),
      lines: flows.map((flow) => t(`flows.${flow}`)),
    })),
  ]
  return (
    <div className="grid gap-4 border-line border-t pt-4">
      <p className="text-table">
        <b className="font-medium">{t('preview.schema', { name: nameOf(schema) })}</b>
        {` — ${t(`preview.by.${by}`, { role: role ? nameOf(role) : '' })}`}
      </p>
      <ol className="grid gap-3">
        {steps.map(({ title, lines }, index) => (
          <li key={title} className="flex gap-3">
            <span
              aria-hidden="true"
              className="flex size-6 shrink-0 items-center justify-center rounded-full border border-brand text-brand text-note"
            >
              {index + 1}
            </span>
            <div className="grid min-w-0 gap-0.5">
              <span className="font-medium text-table">{title}</span>
              {lines.map((line) => (
                <span key={line} className="text-ink-second text-note">
                  {line}
                </span>
              ))}
            </div>
          </li>
        ))}
      </ol>
      {stuck ? (
        <p className="flex gap-1.5 text-note text-warning">
          <TriangleAlert className="mt-px size-4 shrink-0" />
          {t('preview.stuck')}
        </p>
      ) : stuck === false && further.length === 0 ? (
        <p className="text-ink-second text-note">{t('preview.done')}</p>
      ) : null}
    </div>
  )
}
