import { useTranslations } from 'next-intl'
import { fieldPictureAddress } from '@/lib/fields/field-pictures/address'

/** The picture of a field, which opens in full in a tab of its own. */
export function FieldPicture({ title, id }: { title: string; id: string }) {
  const t = useTranslations('ui.picture')
  return (
    <a
      href={fieldPictureAddress(id, 'large')}
      target="_blank"
      rel="noopener"
      aria-label={t('open', { title })}
      className="inline-flex max-w-full overflow-clip rounded-control border border-line bg-sunken"
    >
      {/* biome-ignore lint/performance/noImgElement: pictures come resized from our own address, to those who see the field alone */}
      <img src={fieldPictureAddress(id)} alt="" className="max-h-40 min-h-11 min-w-11 max-w-full object-contain" />
    </a>
  )
}
