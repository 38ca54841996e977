/**
 * The label of an entry in the side menu. If the menu is folded, the setting navMiniTitle decides whether it is small
 * under the icon or only for screen readers.
 */
export const menuWords =
  'min-w-0 break-words mini:sr-only group-data-titles/shell:mini:not-sr-only group-data-titles/shell:mini:w-full group-data-titles/shell:mini:hyphens-manual group-data-titles/shell:mini:text-center group-data-titles/shell:mini:text-[0.6875rem] group-data-titles/shell:mini:leading-3.5'
