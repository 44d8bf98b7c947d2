//! The lists of short texts and of words in titles.

/// Short texts by group, with the name of the feature that counts the different ones on a page.
/// Texts are separated by `|`.
pub(super) const TEXTS: [(&str, &str); 8] = [
    (
        "kind_texts_forum",
        "#0|0 answers|0 posts|0 replies|accepted answer|answered|answers|asked|best answer| \
         faq|forum|forum rules|forums|join date|join now|joined|joined:|junior member| \
         last edited|likes|location:|mark as solution|member| \
         members|moderator|new posts|new topic|next thread|next topic|permalink|post a reply|post reply| \
         posted by|posts|posts:|previous thread|previous topic|private message|quote| \
         register|registered|replies|reply|report post|senior member|sign up to reply| \
         solution|start new topic|thread|thread starter|threads|topic|topics|unread posts|upvote| \
         views|vote|votes",
    ),
    (
        "kind_texts_shop",
        "accessories|add to bag|add to basket|add to cart|add to wishlist|ajouter au panier|bag| \
         best sellers|buy now|carrito|cart|checkout|clearance|continue shopping|customer reviews| \
         customer service|find a store|free shipping|gift card|gift cards|in den warenkorb|my account| \
         new arrivals|order status|out of stock|panier|return policy|returns|reviews|sale|shipping| \
         shipping & returns|shop all|shop now|size guide|sold out|store locator|track order|view cart| \
         warenkorb|wishlist|write a review",
    ),
    (
        "kind_texts_product",
        "add to compare|brand|color|customer reviews|customers also bought|description|details| \
         dimensions|features|in stock|material|model|out of stock|price|product description| \
         product details|qty|quantity|quantity:|regular price|related products|select size|size|sku|sku:| \
         specifications|specs|warranty|weight|what's included|write a review|you may also like",
    ),
    (
        "kind_texts_collection",
        "apply|availability|best selling|brand|categories|choose options|clear all|compare|featured| \
         filter|filter by|filters|from|hide filters|items|load more|newest|next|previous|price range| \
         price, high to low|price, low to high|price: high to low|price: low to high|products|quick shop| \
         quick view|refine|refine by|regular price|relevance|results|sale price|select options| \
         show filters|show more|sort by|sort by:|view all|view details",
    ),
    (
        "kind_texts_documentation",
        "api|api reference|arguments|boolean|changelog|cli|concepts|configuration|contents|copy|default| \
         deprecated|docs|documentation|edit on github|edit this page|example|examples|faq|functions| \
         getting started|guides|index|install|installation|introduction|last updated|methods|modules| \
         name|next|note|notes|on this page|overview|parameters|prev|previous|properties|quick start| \
         quickstart|reference|release notes|required|return value|returns|search docs|see also|string| \
         syntax|table of contents|tutorial|tutorials|type|usage|version|was this page helpful?",
    ),
    (
        "kind_texts_service",
        "about us|benefits|book a consultation|book a demo|book now|call now|call us|careers| \
         case studies|contact sales|contact us|customers|faqs|features|free consultation|free trial| \
         get a demo|get a free quote|get a quote|get started|how it works|industries|learn more| \
         opening hours|our clients|our mission|our process|our services|our team|partners|platform| \
         pricing|request a callback|request a demo|request a quote|schedule a call|services|solutions| \
         start free trial|talk to sales|testimonials|try for free|what we do|who we are|why choose us",
    ),
    (
        "kind_texts_article",
        "0 min read|about the author|advertisement|author|by|comments|conclusion|email|filed under| \
         final thoughts|key takeaways|leave a comment|leave a reply|min read|more from|next article| \
         next post|no comments|post comment|posted in|previous article|previous post|print|published| \
         read next|recommended|references|related|related articles|related posts|share|share on facebook| \
         share on twitter|share this|share this:|sources|table of contents|tags|tags:|tweet|updated| \
         written by",
    ),
    (
        "kind_texts_listing",
        "a-z|all news|archives|categories|continue reading|editor's picks|events|featured|latest| \
         latest news|latest stories|load more|more news|more stories|most popular|most read|newer posts| \
         news|next page|older posts|opinion|page 0|podcasts|read more|read more »|recent posts|see all| \
         see more|show more|subscribe|today|top stories|trending|upcoming events|video|videos|view all",
    ),
];

/// Words of titles by group, in the same form.
pub(super) const TITLES: [(&str, &str); 6] = [
    (
        "kind_title_forum",
        "answers|board|community|discussion|discussions|forum|forums|question|thread|topic",
    ),
    (
        "kind_title_documentation",
        "api|class|developer|docs|documentation|function|guide|introduction|manual|module|reference| \
         tutorial",
    ),
    (
        "kind_title_service",
        "about|agency|business|company|consulting|contact|home|platform|pricing|professional|service| \
         services|software|solutions|welcome",
    ),
    ("kind_title_article", "best|guide|how|review|things|tips|top|vs|ways|what|when|why"),
    ("kind_title_shop", "buy|collection|free|men|online|price|sale|shipping|shop|store|women"),
    (
        "kind_title_listing",
        "archives|blog|category|directory|events|home|jobs|latest|list|listings|magazine|news|recipes| \
         videos",
    ),
];
