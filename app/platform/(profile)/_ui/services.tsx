import type { Service } from '@/lib/platform/menu/service'

/** The services open to somebody, as links with their titles in `locale`. */
export function Services({ services, locale }: { services: Service[]; locale: string }) {
  return (
    <ul className="grid gap-3 sm:grid-cols-2">
      {services.map(({ id, title, titleEn, serviceUrl }) => (
        <li key={id}>
          <a
            href={serviceUrl}
            className="block rounded-card border border-line bg-surface p-4 font-medium hover:border-line-strong"
          >
            {locale === 'en' ? (titleEn ?? title) : title}
          </a>
        </li>
      ))}
    </ul>
  )
}
