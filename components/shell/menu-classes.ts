/**
 * An entry's words in the side menu. Folded, they stand small under the icon where the setting navMiniTitle says so,
 * and are for readers alone elsewhere.
 */
export const menuWords =
  'min-w-0 break-words mini:sr-only group-data-titles/shell:mini:not-sr-only group-data-titles/shell:mini:w-full group-data-titles/shell:mini:hyphens-auto group-data-titles/shell:mini:text-center group-data-titles/shell:mini:text-[0.6875rem] group-data-titles/shell:mini:leading-3.5'
