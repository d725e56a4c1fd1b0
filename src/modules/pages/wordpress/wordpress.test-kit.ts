type Item = {
  id?: number
  title?: string
  name?: string
  content?: string
  parent?: number
  order?: number
  status?: string
  type?: string
  password?: string
}

const cdata = (text: string | number) => `<![CDATA[${String(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`

/** An item as WordPress 6 writes it. */
const itemOf = (item: Item, index: number) => {
  const { id = index + 1, title = 'Cantine', name = '', content = '<p>Le midi</p>' } = item
  return `<item>
    <title>${cdata(title)}</title>
    <link>https://mairie.example/${name}/</link>
    <pubDate>Tue, 05 Jan 2027 08:00:00 +0000</pubDate>
    <dc:creator>${cdata('odile')}</dc:creator>
    <guid isPermaLink="false">https://mairie.example/?page_id=${id}</guid>
    <description></description>
    <content:encoded>${cdata(content)}</content:encoded>
    <excerpt:encoded>${cdata('Extrait')}</excerpt:encoded>
    <wp:post_id>${id}</wp:post_id>
    <wp:post_name>${cdata(name)}</wp:post_name>
    <wp:status>${cdata(item.status ?? 'publish')}</wp:status>
    <wp:post_parent>${item.parent ?? 0}</wp:post_parent>
    <wp:menu_order>${item.order ?? 0}</wp:menu_order>
    <wp:post_type>${cdata(item.type ?? 'page')}</wp:post_type>
    <wp:post_password>${cdata(item.password ?? '')}</wp:post_password>
    <wp:postmeta><wp:meta_key>${cdata('_edit_last')}</wp:meta_key><wp:meta_value>${cdata(1)}</wp:meta_value></wp:postmeta>
  </item>`
}

/** An export of WordPress with these items. */
export const exportOf = (items: Item[], { declared = 'UTF-8', before = '', version = '1.2' } = {}) =>
  `<?xml version="1.0" encoding="${declared}" ?>${before}
<!-- This is a WordPress eXtended RSS file -->
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
  xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wfw="http://wellformedweb.org/CommentAPI/"
  xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
  <title>Mairie</title>
  <link>https://mairie.example</link>
  <wp:wxr_version>${version}</wp:wxr_version>
  <wp:author><wp:author_id>1</wp:author_id><wp:author_login>${cdata('odile')}</wp:author_login></wp:author>
  <image><url>https://mairie.example/icone.png</url><link>https://autre.example</link></image>
  ${items.map(itemOf).join('\n')}
</channel>
</rss>`
